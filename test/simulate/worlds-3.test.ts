import { runShard } from "./shard.ts";

runShard(2, 4);
