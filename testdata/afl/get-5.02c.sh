#!/usr/bin/env bash
# Unpacks AFL++ 5.02c, the version with IJON, into a folder, from Debian's
# unstable distribution, and nothing of the system is changed:
#
#	testdata/afl/get-5.02c.sh DIR
#
# DIR/bin then has afl-fuzz, afl-showmap, afl-tmin, afl-whatsup and, where
# there is a clang, afl-clang-fast as commands for the PATH. They run what is in
# DIR/tree with the libraries of that folder. It prints DIR/bin. Where 5.02c
# cannot be had it prints the reason and exits with 1. What is there already
# is not fetched again.
set -euo pipefail

version=5.02c
libraries='libc6 libgcc-s1 libstdc++6 libexpat1 zlib1g'

no() {
	echo "AFL++ $version cannot be had: $*" >&2
	exit 1
}
[ $# = 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
if [ -e "$dir/bin/afl-fuzz" ]; then
	echo "$dir/bin"
	exit
fi

for tool in apt-get apt-cache dpkg; do
	command -v $tool >/dev/null || no "there is no $tool (it is a package of Debian)"
done
[ "$(dpkg --print-architecture)" = amd64 ] || no "only that of amd64 has been tried"

work=$(mktemp -d "$dir/get-XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt downloads as a user of its own
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/deb" "$work/tree" "$work/bin"
echo 'deb http://deb.debian.org/debian sid main' >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
END
export APT_CONFIG="$work/apt.conf"

quietly() { "$@" >"$work/log" 2>&1 || no "$* failed: $(grep -m 1 '^[EW]:' "$work/log" || tail -n 1 "$work/log")"; }
quietly apt-get update -o APT::Update::Error-Mode=any
offered=$(apt-cache show --no-all-versions afl++ | sed -n 's/^Version: //p')
case $offered in
$version-*) ;;
*) no "Debian unstable has ${offered:-none}" ;;
esac
python=$(apt-cache show "afl++=$offered" | sed -n 's/^Depends: //p' | grep -o 'libpython[0-9.]*')

(cd "$work/deb" && quietly apt-get download afl++ $libraries "$python")
for deb in "$work"/deb/*.deb; do
	dpkg -x "$deb" "$work/tree"
done
root=$dir/tree/usr
lib=$root/lib/x86_64-linux-gnu
start="exec $lib/ld-linux-x86-64.so.2 --library-path $lib"
script() {
	printf '#!/bin/sh\n%s "$@"\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
for tool in afl-fuzz afl-showmap afl-tmin; do
	script $tool "$start $root/bin/$tool"
done
script afl-whatsup "exec $root/bin/afl-whatsup"
# The passes of this compiler are for a clang that is not here: an older one
# instruments by itself (NATIVE) and links the runtime, which is what matters.
if command -v clang >/dev/null; then
	export="export AFL_PATH=$root/lib/afl AFL_LLVM_INSTRUMENT=NATIVE AFL_CC=$(command -v clang)"
	script afl-clang-fast "$export"$'\n'"$start --argv0 afl-clang-fast $root/bin/afl-cc"
fi
rm -rf "$dir/tree" "$dir/bin"
mv "$work/tree" "$dir/tree"
mv "$work/bin" "$dir/bin" # last: with it all is there
"$dir/bin/afl-fuzz" --version >"$work/log" 2>&1 || true # the exit code of that is 1
grep -q "$version" "$work/log" || { rm -rf "$dir/bin"; no "it does not start: $(tail -n 1 "$work/log")"; }
echo "$dir/bin"
