-- GET over the 20,000 keys that put.lua has written.
local n = 0

request = function()
  n = n + 1
  return wrk.format("GET", "/v0/entity?id=key-" .. (n * 7919 % 20000))
end
