/**
 * Hoare's selection: moves the k-th smallest number, from 0, to place k, smaller ones before it and
 * larger ones behind it, and returns it. COST: O(n) on average.
 */
export function select(numbers: Float64Array, k: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >> 1]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (numbers[left]! < pivot) left++;
      while (numbers[right]! > pivot) right--;
      if (left > right) break;
      const moved = numbers[left]!;
      numbers[left] = numbers[right]!;
      numbers[right] = moved;
      left++;
      right--;
    }
    if (k <= right) high = right;
    else if (k >= left) low = left;
    else break;
  }
  return numbers[k]!;
}
