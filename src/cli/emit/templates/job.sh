#!/bin/bash
# The jobs of an experiment of finches. Schedulers call this file; by hand it works too:
#   bash job.sh shard I [TIMES]   does the I-th of {{shards}} shards, and tries it up to TIMES
#                                 times [{{attempts}}]
#   bash job.sh merge             writes the summary
# A job that is tried again continues. What is printed goes to the folder jobs.
root={{root}}

shard() {
    {{#processes}}mpirun ${HQ_NODE_FILE:+--hostfile "$HQ_NODE_FILE"} --bind-to none -n {{processes}} \
        {{/processes}}{{shard_command}} --shard "$1/{{shards}}" --threads {{threads}}
}

merge() {
    {{merge_command}}
}

# Without its number, a shard is a task of an array of Slurm.
index=${2:-${SLURM_ARRAY_TASK_ID-}}
attempts=${3:-{{attempts}}}
case "${1-} $index" in
"merge "*) log=merge.log ;;
"shard "[1-9]*) log=shard-$index-of-{{shards}}.log ;;
*)
    echo 'usage: bash job.sh shard I [TIMES], or bash job.sh merge' >&2
    exit 2
    ;;
esac
mkdir -p "$root/jobs" || exit 1
exec >>"$root/jobs/$log" 2>&1
cd {{directory}} || exit 1
if [ "$1" = merge ]; then
    merge
    exit
fi
# A usage error is not tried again, since it would repeat, nor is a job that a signal has stopped on
# purpose.
while
    shard "$index"
    code=$?
    attempts=$((attempts - 1))
    case $code in
    # Its islands wait for others, and go on in the next round.
    4) code=0 && false ;;
    0 | 2 | 129 | 130 | 143) false ;;
    *) [ "$attempts" -gt 0 ] ;;
    esac
do
    echo "shard $index ended with exit code $code; it is tried again"
    sleep 1
done
exit $code
