import type { ScreenshotWords } from '../words.ts'

export const words: ScreenshotWords = {
  timeZone: 'Asia/Tokyo',
  person: 'haruka@example.com',
  colleague: 'ren@example.com',
  keys: { report: '夜間レポート', staging: '検証環境', desk: '問い合わせ窓口' },
  question: '日本で一番高い山は何ですか。',
  answer: '日本で一番高い山は富士山です。',
  further: [
    {
      question: '2つの数を足すPythonの関数を書いてください。',
      answer: '```python\ndef add(a, b):\n    return a + b\n```\nadd(2, 3)と呼ぶと5が返ります。',
    },
  ],
}
