/**
 * Columns of cards whose figures need no label, by the name of the table and their class: they name their unit in the cell, or
 * stand where a card has its title.
 */
const unlabelled = [
  // "60 requests a minute", and the time and the model in which a request stands.
  'organisation-limits figures-cell',
  'limits use',
  // Below the name of the setting.
  'configuration value',
  'requests time',
  'audit when',
  'deliveries when',
]

/** Run in a page, at the width of a phone: cells of cards that begin with a figure and have no label. Tables of the documentation are texts. */
export const bareFigures = `(() => {
  const known = ${JSON.stringify(unlabelled)}
  const classesOf = (part) => part.className.split(' ')
  return [...document.querySelectorAll('.table.cards:not(.text-table, .named) td')].flatMap((cell) => {
    if (cell.offsetParent === null || cell.querySelector('.phone-only') !== null) return []
    if (!/^[^\\p{L}]{0,3}[0-9]/u.test(cell.innerText.trim())) return []
    const isKnown = known.some((each) => {
      const [table, column] = each.split(' ')
      return classesOf(cell.closest('table')).includes(table) && classesOf(cell).includes(column)
    })
    return isKnown ? [] : [cell.closest('table').className + ' > ' + cell.className + ': ' + cell.innerText.trim().slice(0, 40)]
  })
})()`
