import type { Words } from '../words.ts'

export const compare: Words['compare'] = {
  title: '比較',
  lede: '同じ入力を、2つの設定で並べて試せます。',
  toPlayground: 'プレイグラウンドに戻る',
  side: (letter) => `設定${letter}`,
  prompt: '入力',
  promptNeeded: '入力してください。',
  run: '両方に送信',
  before: '回答がここに表示されます。',
  wrong: '下の項目に誤りがあります。まだ送信していません。',
}
