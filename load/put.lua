-- PUT of 100 bytes, over 20,000 keys in turn.
local n = 0
local value = string.rep("x", 100)

request = function()
  n = n + 1
  return wrk.format("PUT", "/v0/entity?id=key-" .. (n % 20000), nil, value)
end
