-- Sends requests that were made and signed beforehand, each thread those of its own file, and notes what is
-- acknowledged: the event id of a 202, the click id of a 302; of every other answer only its status.
-- Arguments: the files' common name, and "repeat" if a thread may begin again at its first request.

local threads, requests, at, again, acknowledged = {}, {}, 0, false, nil
statuses, missed = {}, 0 -- read by `done`, when all is over

function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

function init(args)
  again = args[2] == "repeat"
  local file = assert(io.open(args[1] .. "." .. number, "rb"))
  for size in function() return file:read("*n", 1) end do
    requests[#requests + 1] = file:read(size)
  end
  file:close()
  acknowledged = assert(io.open(args[1] .. "." .. number .. ".acknowledged", "w"))
end

function request()
  if at == #requests then
    if not again then
      missed = missed + 1
      return "GET /no-request-was-left HTTP/1.1\r\nHost: bench\r\n\r\n"
    end
    at = 0
  end
  at = at + 1
  return requests[at]
end

function response(status, headers, body)
  statuses[status] = (statuses[status] or 0) + 1
  if status == 202 then
    acknowledged:write(body:match('"eventId":"([^"]+)"') or "?", "\n")
  elseif status == 302 then
    acknowledged:write((headers["Location"] or ""):match("clk_%x+") or "?", "\n")
  end
end

function done(summary, latency)
  local all, short = {}, 0
  for _, thread in ipairs(threads) do
    short = short + thread:get("missed")
    for status, count in pairs(thread:get("statuses")) do
      all[status] = (all[status] or 0) + count
    end
  end
  local parts = {}
  for status, count in pairs(all) do
    parts[#parts + 1] = ('"%d": %d'):format(status, count)
  end
  local errors = summary.errors
  print(('\n{"seconds": %f, "p50Ms": %f, "p99Ms": %f, "missed": %d, "broken": %d, "statuses": {%s}}'):format(
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, short,
    errors.connect + errors.read + errors.write + errors.timeout, table.concat(parts, ", ")))
end
