package ijon

// Dictionary lists the constants that the instrumented code compares with, and
// the words of the user's dictionary: what an input may have to contain. An
// integer is there in several forms.
func Dictionary() []string { return append([]string(nil), dictionary...) }
