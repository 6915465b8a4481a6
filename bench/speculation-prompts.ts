/** Answers that repeat their prompt much, in parts or hardly. */
export const speculationPrompts = {
  'text edit': `Fix the spelling mistakes in this text and print it again:

The quick brown fox jumps over the lazy dog every mornning before breakfast. Then it goes to the rivver and drinks some cold water. In the afternoon it sleeps
under the old oak tree next to the farm house, where nobody can find it. When the sun goes down, it walks back to the forest and looks for something to eat.`,
  'code edit': `Rename the function total to sumOfPrices everywhere in this file and print the whole file:

const taxRate = 0.19

export function total(items) {
  let sum = 0
  for (const item of items) {
    sum += item.price * item.quantity
  }
  return sum
}

export function totalWithTax(items) {
  return total(items) * (1 + taxRate)
}

export function averagePrice(items) {
  if (items.length === 0) return 0
  return total(items) / items.length
}

export function printReceipt(items) {
  for (const item of items) {
    console.log(item.name, item.price, item.quantity)
  }
  console.log('total', total(items))
  console.log('with tax', totalWithTax(items))
}`,
  summary: `Summarise this text in a few sentences:

The Stockton and Darlington Railway was a railway company that operated in north-east England from 1825 to 1863. It was the first public railway in the world to
use steam locomotives. Its first line connected collieries near Shildon with Darlington and Stockton in County Durham, and was officially opened on 27 September
1825. The movement of coal to ships rapidly became a lucrative business, and the line was soon extended to a new port at Middlesbrough. While coal waggons were
hauled by steam locomotives from the start, passengers were carried in coaches drawn by horses until carriages hauled by steam locomotives were introduced in
1833. The railway was involved in building the East Coast Main Line between York and Darlington, but its main expansion was at Middlesbrough Docks and west into
Weardale and east to Redcar. It suffered severe financial difficulties at the end of the 1840s and was nearly taken over by the York, Newcastle and Berwick
Railway, before the discovery of iron ore in Cleveland and the subsequent increase in revenue meant it could pay its debts. At the beginning of the 1860s it took
over railways that had crossed the Pennines to join the West Coast Main Line at Tebay and Clifton, near Penrith.`,
  story: 'Tell me a long story about a journey around the world, with many places and people in it.',
} as const
