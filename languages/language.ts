/** A language of the site and of mails: all about it but its words. Its folder is named after its code. */
export type Language = {
  /** As in `lang`, `Accept-Language` and accounts: `ja`. */
  code: LanguageCode
  /** In the language itself, for readers who cannot read the current one. */
  name: string
  /** How figures and dates are written, as `Intl` knows it: `ja-JP`. */
  locale: string
  /** The locale for round figures such as 1.5M, if another one writes them better. */
  roundLocale?: string
  /** Between the items of a list. */
  listSeparator: string
  /** Between two sentences. */
  sentenceSeparator: string
  /** A figure with the unit of seconds. */
  seconds(figure: string): string
  dates: {
    month: 'short' | 'long'
    /** A day with its weekday; without it, as `Intl` puts them together. */
    withWeekday?(day: string, weekday: string): string
    /** Between a day and a time. */
    timeSeparator: string
    /** A day on the axis of a chart. */
    axisDay: Intl.DateTimeFormatOptions
    /** A month on the axis of a chart; without it, as `Intl` writes it. `month` is two digits. */
    axisMonth?(year: string, month: string): string
  }
}

/** Which there are is known from the folders, not from the types. */
export type LanguageCode = string
