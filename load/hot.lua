-- PUT or GET (first argument) of 100 bytes under one and the same key.
local method = "GET"

init = function(args)
  method = args[1] or method
end

request = function()
  return wrk.format(method, "/v0/entity?id=hot", nil, method == "PUT" and string.rep("x", 100) or nil)
end
