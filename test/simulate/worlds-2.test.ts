import { runShard } from "./shard.ts";

runShard(1, 4);
