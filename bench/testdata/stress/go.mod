module stress

go 1.24
