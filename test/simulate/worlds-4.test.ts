import { runShard } from "./shard.ts";

runShard(3, 4);
