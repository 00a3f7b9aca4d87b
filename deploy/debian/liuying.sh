#!/bin/sh
# With the site's settings, and as its user: see the module.
exec /usr/lib/liuying/bin/python -m liuying.cli.packaged "$@"
