import type { Language } from '../language.ts'

export const language: Language = {
  code: 'ja',
  name: '日本語',
  locale: 'ja-JP',
  listSeparator: '、',
  sentenceSeparator: '',
  seconds: (figure) => `${figure}秒`,
  dates: {
    month: 'long',
    withWeekday: (day, weekday) => `${day}（${weekday}）`,
    timeSeparator: ' ',
    axisDay: { month: 'numeric', day: 'numeric' },
    axisMonth: (year, month) => `${year}/${month}`,
  },
}
