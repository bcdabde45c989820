#!/bin/sh
# Shows both refusals of the gate of the running sample application: more work than it can do, and then one client that
# asks for too much. Needs curl 7.84 or newer.
app=${1:-http://localhost:8080}/app

# Asks for pages, so many at once, and prints how often each kind of answer came.
ask() {
  curl --silent --no-progress-meter --parallel --parallel-max "$1" --output /dev/null \
    --write-out '%{http_code} %header{x-degraded}\n' "$2" |
    sed -E 's/;[0-9]+//g; s/ (revocation|flags|geo|recommendations|catalog|request)=.*/ out of time inside/' | sort | uniq -c
}

echo "300 requests that take 300 ms each, 80 at once, for 20 threads:"
ask 80 "$app/home?catalog=slow:300&n=[1-300]"

sleep 3
echo "2000 requests of one client, which may make 400 at once and then 200 a second:"
ask 10 "$app/assets/home.css?n=[1-2000]"

echo "One of these refusals:"
curl --silent --no-progress-meter --include "$app/assets/home.css?n=[1-1000]" | sed -n '/^HTTP.* 429/,/}/{p;/}/q;}'
echo
