import type { Words } from '../../words.ts'

export const compare: Words['compare'] = {
  title: '比較',
  lede: '同じ入力を、4つまでのモデルや設定で並べて試せます。',
  toPlayground: 'プレイグラウンドに戻る',
  side: (letter) => `設定${letter}`,
  prompt: '入力',
  promptNeeded: '入力してください。',
  run: (count) => (count === 2 ? '両方に送信' : `${count}つすべてに送信`),
  add: '列を追加',
  remove: '削除',
  removeOf: (letter) => `設定${letter}を削除`,
  removed: (letter) => `設定${letter}を削除しました`,
  column: '設定',
  total: '所要時間',
  figures: '各設定のトークン数、時間、費用',
  takenOver: (count) => `これより前の${count}件のメッセージも一緒に送信します。`,
  alsoTaken: (names) => `プレイグラウンドの設定を共通で使用します：${names}。`,
  listMark: '、',
  before: '回答がここに表示されます。',
  wrong: '下の項目に誤りがあります。まだ送信していません。',
}
