module fragile

go 1.24
