module empty

go 1.24
