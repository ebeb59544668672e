module hub.example/affiliatehub

go 1.19
