/** Control characters, invisible ones, lone surrogates and line separators. */
const unprintable = /[\p{C}\u2028\u2029]/u

/**
 * Whether a model can have this name. Names are parts of addresses, logs and tables, so they are one printable line, no path
 * that leaves a folder, and no property that every object has, such as `__proto__`.
 */
export const isModelName = (name: string): boolean =>
  name !== '' &&
  name.length <= 200 &&
  !unprintable.test(name) &&
  !(name in Object.prototype) &&
  name.split(/[/\\]/).every((segment) => segment !== '.' && segment !== '..')

/** A name from a request, in a form that is safe to display. */
export const shownModelName = (name: string): string =>
  name.slice(0, 100).toWellFormed().replace(new RegExp(unprintable, 'gu'), '?')
