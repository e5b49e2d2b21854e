export { countIds, greatestValues, leastValues, mergeValues, sumValues } from "./accumulate";
export {
  findKeys,
  groupEntries,
  groupKeys,
  tableEntries,
  tableInit,
  tableMove,
  tableSize,
} from "./byte-table";
export { countWords } from "./counts";
export { csvColumns } from "./csv";
export { sortEntries } from "./entries";
export { countLines, lineEntries, matchingLines } from "./lines";
export { equalKeys, firstOfEach, mergeEntries } from "./merge";
export {
  findNumbers,
  groupNumbers,
  numberEntries,
  numberKeys,
  numbersInit,
  numbersMove,
  numbersSize,
} from "./number-table";
export { lowerBound, partitionKeys, partitionNumbers, partitionStrings } from "./partition";
export { putRecords, putText, recordEntries } from "./records";
