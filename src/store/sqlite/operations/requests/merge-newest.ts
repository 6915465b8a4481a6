/**
 * Two lists, each newest first, as one; of equals the first list's come first. Each keeps its own order whatever its times
 * say, so that a place in both is a place in the whole. Neither is read further than one ahead of what was asked for.
 */
export function* mergeNewest<One, Other>(
  ones: Iterable<One>,
  others: Iterable<Other>,
  timeOf: (item: One | Other) => number,
): Generator<One | Other> {
  const [left, right] = [ones[Symbol.iterator](), others[Symbol.iterator]()]
  let [one, other] = [left.next(), right.next()]
  for (;;) {
    if (!one.done && (other.done || timeOf(one.value) >= timeOf(other.value))) {
      yield one.value
      one = left.next()
    } else if (!other.done) {
      yield other.value
      other = right.next()
    } else return
  }
}
