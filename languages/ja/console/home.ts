import type { Words } from '../../words.ts'

export const home: Words['home'] = {
  lede: (requests) => `この30日間のリクエストは${requests}件です。`,
  none: 'この30日間のリクエストはありません。',
  spent: (amount) => `費用は${amount}です。`,
  failed: (count) => `失敗は${count}件です。`,
  rejected: (count) => `拒否は${count}件です。`,
  notLoaded: 'この部分を読み込めませんでした。',
  usageTitle: 'この30日間',
  toUsage: 'すべての数値',
  limitsTitle: '上限',
  toLimits: 'すべての上限',
  noLimits: 'この組織に上限は設定されていません。',
  problemsTitle: '最近の問題',
  toFailed: '失敗したリクエストをすべて表示',
  toRejected: '拒否されたリクエストをすべて表示',
  noProblems: '失敗または拒否されたリクエストはありません。',
}
