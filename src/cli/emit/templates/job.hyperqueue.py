# {{summary}}. Submits them to a running HyperQueue server:
#   python3 job.hyperqueue.py
# It needs the Python package of the server's version: pip install hyperqueue. $HQ_SERVER_DIR is the
# server's folder, if it has another than the usual one. A shard is tried up to {{attempts}} times,
# and again if its worker is lost. The same command continues later.{{#processes}} Each process takes a worker.{{/processes}}
import os
from datetime import timedelta

from hyperqueue import Client, Job
from hyperqueue.ffi.protocol import ResourceRequest

JOB_FILE = {{python_job}}
job = Job(name="finches", max_fails=None)
# All shards of a round are done before the next one begins.
done = []
for _ in range({{rounds}}):
    done = [
        job.program(
            ["bash", JOB_FILE, "shard", str(shard)],
            name=f"shard {shard}",
            deps=done,
            resources=ResourceRequest({{#processes}}n_nodes={{processes}}, cpus=0{{/processes}}{{#alone}}cpus={{threads}}{{/alone}}{{#memory}}, resources={"mem": {{memory}}}{{/memory}}{{#minutes}}, min_time=timedelta(minutes={{minutes}}){{/minutes}}),
            # The tasks of a lost worker go to another one.
            crash_limit={{attempts}},
            stdout=None,
            stderr=None,
        )
        for shard in range(1, {{shards}} + 1)
    ]
job.program(["bash", JOB_FILE, "merge"], name="summary", deps=done, stdout=None, stderr=None)
print("submitted as job", Client(os.environ.get("HQ_SERVER_DIR")).submit(job).id)
