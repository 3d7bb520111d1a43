-- wrk prints no percentile beyond the 99th by itself.
done = function(summary, latency, requests)
  print(string.format("permille 999: %.1f us", latency:percentile(99.9)))
end
