import type { Words } from '../../words.ts'

export const home: Words['home'] = {
  lede: (requests) => `この30日間のリクエストは${requests}件です。`,
  none: 'この30日間のリクエストはありません。',
  summary: ({ cost, failed, rejected }) => {
    const counted = [...(cost === null ? [] : [`費用は${cost}`]), ...(failed === null ? [] : [`失敗は${failed}件`])]
    const first = counted.length === 0 ? '' : `${counted.join('、')}です。`
    return first + (rejected === null ? '' : `ほかに拒否が${rejected}件あります。`)
  },
  notLoaded: 'この部分を読み込めませんでした。',
  usageTitle: 'この30日間',
  toUsage: 'すべての数値',
  limitsTitle: '上限',
  toLimits: 'すべての上限',
  noLimits: 'この組織にもキーにも上限は設定されていません。',
  problemsTitle: '最近の問題',
  toFailed: '失敗したリクエストをすべて表示',
  toRejected: '拒否されたリクエストをすべて表示',
  noProblems: '失敗または拒否されたリクエストはありません。',
}
