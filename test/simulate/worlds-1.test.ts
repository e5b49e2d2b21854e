import { runShard } from "./shard.ts";

runShard(0, 4);
