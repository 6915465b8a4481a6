/** What points maintainers to the records of decisions, in the wording of our documents: the site has no such records. */
const pointers = [
  /\s?\((?:see )?\[decision \d+\]\([^)]*\)\)/g,
  /[ \n](?:See )?\[decision \d+\]\([^)]*\)(?: explains [^.]*)?\./gi,
  /（\[設計判断\d+\]\([^)]*\)）/g,
  /[^。\n]*\[設計判断\d+\]\([^)]*\)[^。\n]*。/g,
]

/** A document as readers of the site need it. */
export const withoutDecisions = (text: string): string =>
  pointers.reduce((left, pointer) => left.replaceAll(pointer, ''), text)
