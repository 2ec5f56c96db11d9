#!/bin/bash
# {{summary}}. Runs them with GNU parallel:
#   bash job.parallel.sh [OPTIONS OF PARALLEL, such as --sshlogin HOST,HOST]
# A shard is tried up to {{attempts}} times. The same command continues later. One that is stopped has
# half a minute to save.
set -eu
cd {{root}}
# All shards of a round are done before the next one begins.
for round in {1..{{rounds}}}; do
    parallel --workdir . --jobs {{job_percent}}% --termseq TERM,30000,KILL,100 --retries {{attempts}}{{#memory}} --memfree {{memory}}M{{/memory}}{{#seconds}} --timeout {{seconds}}{{/seconds}} "$@" \
        bash job.sh shard {} 1 ::: {1..{{shards}}}
done
bash job.sh merge
