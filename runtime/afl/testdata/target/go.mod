module example.com/target

go 1.21
