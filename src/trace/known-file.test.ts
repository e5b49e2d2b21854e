import { expect, test } from "vitest";
import { knownFile } from "./known-file.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

test.each([
  ["PK\x03\x04\x14", "a zip archive"],
  ["BZh91AY&SY", "bzip2"],
  ["\xfd7zXZ\0\0\x04", "xz"],
  ["\x04\x22\x4d\x18d", "LZ4 frame"],
  ["\xff\xfe{\0", "UTF-16"],
  ["\xfe\xff\0{", "UTF-16"],
  ["\x1f\x8b\x08", "compressed twice"],
  ["PAR1\x15\x04", "Parquet"],
  ["ORC\x0a", "ORC"],
  ["SEQ\x06\x19org.apache.hadoop.io.NullWritable", "Tez"],
  ["\n<!DOCTYPE html>\n<html>", "HTML"],
  ['<?xml version="1.0"?>', "XML"],
  ['{"entity":"tez_dag_1_1_1","events":[]}', "a history of Tez"],
  ['[ {\n  "id" : "app-1",', "Spark's REST"],
  ['{"jobs":{"job":[]}}', "Hadoop's REST"],
  ["0,,3418309,0,,0,3418314,0,,,,,", "Google"],
  ["M1,1,j_1,1,Terminated,10,20,100,0.5", "Alibaba"],
  ["2026-09-21 12:00:01,123 INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster", "a log"],
  ["26/09/21 12:00:01 INFO SparkContext: Running Spark", "a log"],
  ['{"appInfo":{"applicationID":"app-1"}', "Sparklens"],
])("%j is called %s", (text, what) => {
  expect(knownFile(bytesOf(text))).toContain(what);
});

test.each(["no history", "", "{}", '{"a":1}', "1,2,3", "PKSOMETHING"])("%j is unknown", (text) => {
  expect(knownFile(bytesOf(text))).toBeUndefined();
});
