export { countIds, greatestValues, leastValues, mergeValues, sumValues } from "./accumulate";
export { binEntries, binLines, binSize, binsClear } from "./bins";
export {
  findKeys,
  groupEntries,
  groupKeys,
  tableEntries,
  tableInit,
  tableMove,
  tableSize,
} from "./byte-table";
export { countsEntries, countsInit, countsMove, countWords } from "./counts";
export { csvColumns } from "./csv";
export { partEntries, sortEntries } from "./entries";
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
export { putRecords, putText, recordCells, recordEntries } from "./records";
