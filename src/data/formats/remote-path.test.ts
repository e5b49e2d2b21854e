import { expect, test } from "vitest";
import { readerOf } from "./remote-path.ts";

test.each([
  ["s3://logs/app-1", "aws s3 cp s3://logs/app-1 -"],
  ["s3a://logs/app-1", "aws s3 cp s3://logs/app-1 -"],
  ["gs://logs/app 1", "gcloud storage cat 'gs://logs/app 1'"],
  ["hdfs://nn:8020/logs/app-1", "hadoop fs -cat hdfs://nn:8020/logs/app-1"],
  ["abfss://logs@account.net/app-1", "hadoop fs -cat abfss://logs@account.net/app-1"],
  ["https://host/app-1?a=1&b=it's", "curl -sL 'https://host/app-1?a=1&b=it'\\''s'"],
])("%s is read by %s", (url, command) => expect(readerOf(url)).toBe(command));

test.each(["logs/app-1", "-", "C:\\logs", "/tmp/s3:/x"])("%s is a path", (path) => {
  expect(readerOf(path)).toBeUndefined();
});
