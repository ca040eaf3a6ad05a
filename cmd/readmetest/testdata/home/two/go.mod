module two

go 1.21

require example.com/greet v1.0.0
