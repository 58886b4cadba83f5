#!/bin/sh
# Brings what other machines have found into the sync folder of this one, which
# is the campaign folder of ijongo fuzz and the -o of afl-fuzz:
#
#	sync.sh DIR NAME=FROM...
#
# NAME is that of a machine, the -name of its campaigns, and FROM the sync
# folder there, for rsync: host:/path, or a path where it is mounted. Run it on
# each machine, now and then; docs/afl.md has more.
#
# Of a machine the queues of its workers (NAME-w0, …) are copied, and that of
# its main instance of AFL++ (NAME-afl0, or NAME-main), which takes over what is
# new in all others, with what it says crashes or hangs. With them come the
# failures that are not known here yet, and what NAME has covered, for ijongo
# status and cover.
#
# A machine that does not answer keeps no other from being asked; the exit
# code is then 1.
set -u

[ $# -ge 2 ] || { echo "usage: $0 DIR NAME=FROM..." >&2; exit 2; }
command -v rsync >/dev/null || { echo "$0: rsync is not in PATH" >&2; exit 2; }
dir=$1
shift
copy() { rsync --recursive --times --omit-dir-times --compress --prune-empty-dirs "$@"; }
mkdir -p "$dir" || exit 2

code=0
for machine; do
	name=${machine%%=*} from=${machine#*=}
	case $name in
	"$machine" | *[!A-Za-z0-9_-]*)
		echo "$0: $machine: write NAME=FROM (a name has letters, digits, - and _)" >&2
		exit 2
		;;
	esac
	set -- # what is copied; all else is left alone, and not deleted here
	for queue in "$name-w[0-9]*" "$name-afl0" "$name-main"; do
		for folder in queue crashes hangs; do
			set -- "$@" --include="/$queue/" --include="/$queue/$folder/" --include="/$queue/$folder/id:*"
		done
	done
	for part in coverage coverage.txt stats.jsonl; do
		set -- "$@" --include="/$name/" --include="/$name/$part" --include="/$name/$part/**"
	done
	# The order of names is the order of their ids, so that a queue is never
	# seen with a gap. A queue may lose a file to one that says it is not to
	# be run: --delete. Times of folders say here when they changed here.
	copy --delete --exclude='.*' "$@" --exclude='*' "${from%/}/" "$dir/" &&
		copy --ignore-existing --include='/failures/***' --exclude='*' "${from%/}/" "$dir/" || code=1
done
exit $code
