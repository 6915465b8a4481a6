/** Whether one name becomes the other by inserting, deleting or replacing one character, or by swapping two neighbours. */
export const isOneEditAway = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const max = Math.min(one.length, other.length) - start
  while (end < max && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  if (left.length <= 1 && right.length <= 1) return left !== right
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
