import type { AdminWords } from '../../words.ts'

export const catalogue: AdminWords['catalogue'] = {
  lede: (count, first) => (count === 1 ? `利用できるモデルは${first}です。` : `利用できるモデルは${count}件です。`),
  notLoaded: 'モデルの一覧を読み込めませんでした。',
  list: 'モデル',
  manage: 'モデルの追加と変更',
  unavailable: '利用不可',
  capabilities: '対応機能',
  unknown: '不明',
  price: '100万トークンあたりの料金',
  noPrice: '設定なし',
  prices: (prompt, completion) => `入力 ${prompt}、出力 ${completion}`,
  promptPrice: (prompt) => `入力 ${prompt}`,
  speed: '速度（昨日と今日）',
  noSpeed: 'データはまだありません',
  firstToken: (time) => `最初のトークンまで${time}`,
  tokensPerSecond: (speed) => `毎秒${speed}トークン`,
  code: 'サンプルコード',
  codeOf: (name) => `${name}のサンプルコード`,
}
