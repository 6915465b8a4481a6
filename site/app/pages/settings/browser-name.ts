/** The browser and the system that a user agent names; null for what is not known. The order matters: many claim to be Chrome. */
const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

export const browserName = (userAgent: string): { browser: string | null; system: string | null } => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
})

const nameIn = (names: readonly [RegExp, string][], userAgent: string): string | null =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
