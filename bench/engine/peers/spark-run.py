"""`spark-run.py WORK INPUT OUTPUT SCRATCH`: a job of DataFrames on two cores of this machine.

It tells how long the job took: the start of the JVM and of the session is not counted.
"""
import json
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql.functions import explode, split, sum as total

work, source, output, scratch = sys.argv[1:5]
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.driver.memory", "8g")
    .config("spark.sql.shuffle.partitions", "8")
    .config("spark.local.dir", scratch)
    .config("spark.sql.warehouse.dir", scratch)
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
before = time.monotonic()
if work == "words":
    words = spark.read.text(source).select(explode(split("value", " ")).alias("word"))
    words.groupBy("word").count().write.csv(output, sep="\t")
elif work == "sort":
    spark.read.text(source).orderBy("value").write.text(output)
elif work == "sum":
    facts = spark.read.csv(source, header=True, schema="k BIGINT, v BIGINT")
    facts.groupBy("k").agg(total("v")).write.csv(output, sep="\t")
else:
    sys.exit(f"no work {work}")
seconds = time.monotonic() - before
spark.stop()
print(json.dumps({"seconds": seconds}))
