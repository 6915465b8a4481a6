/** From `start` to before `end`, in bytes from the beginning of the page. */
export type Range = { readonly start: number; readonly end: number }

/** As SQLite's file format names them, each with the size of its header: inner pages and leaves of indexes and tables. */
const headerBytes: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 }
const fileHeaderBytes = 100

/**
 * Every other page begins with the number of a page, so its first byte is that of a B-tree page only in a file of so many pages:
 * 128 GiB. The exception are tables of pages, in files with `auto_vacuum`, which we do not use.
 */
const maxPages = 0x02_00_00_00

export const pageLayout = (fileHeader: Buffer) => {
  const pageBytes = fileHeader.readUInt16BE(16)
  return {
    pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
    usableBytes: (pageBytes === 1 ? 65_536 : pageBytes) - fileHeader.readUInt8(20),
    /** Whether B-tree pages can be told from others. */
    isDistinct: (pages: number): boolean => fileHeader.readUInt32BE(52) === 0 && pages < maxPages,
  }
}

/** Whether a page that begins with this byte has rows or keys in it. The first page begins with the header of the file. */
export const isTreePage = (number: number, firstByte: number): boolean => number === 1 || firstByte in headerBytes

/**
 * The parts of a B-tree page that SQLite does not use: between the list of its cells and the first of them, and where cells were
 * removed. What they contain is never read. Nothing for every other page: those are overwritten as a whole once they are free.
 */
export const unusedSpace = (page: Buffer, number: number, usableBytes: number): Range[] => {
  const base = number === 1 ? fileHeaderBytes : 0
  const header = headerBytes[page.readUInt8(base)]
  if (header === undefined) return []
  const listEnd = base + header + 2 * page.readUInt16BE(base + 3)
  const firstCell = page.readUInt16BE(base + 5) || 65_536
  if (listEnd > firstCell || firstCell > usableBytes) return []
  return [{ start: listEnd, end: firstCell }, ...freeBlocks(page, base, firstCell, usableBytes)]
}

/** Each begins with the place of the next one and its own size, and they lie in order. */
function* freeBlocks(page: Buffer, base: number, firstCell: number, usableBytes: number): Generator<Range> {
  let from = firstCell
  for (let start = page.readUInt16BE(base + 1); start >= from && start + 4 <= usableBytes; ) {
    const end = start + page.readUInt16BE(start + 2)
    if (end < start + 4 || end > usableBytes) return
    yield { start: start + 4, end }
    from = end
    start = page.readUInt16BE(start)
  }
}
