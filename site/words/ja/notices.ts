import type { Words } from '../words.ts'

export const notices: Words['notices'] = {
  title: 'お知らせ',
  text: '各ページの上に表示します。設定はこのブラウザーに保存されます。',
  dismiss: 'このお知らせを閉じる',
  kinds: {
    budget: '上限の80%以上を使ったとき',
    expiry: 'キーの有効期限が7日以内に切れるとき',
    engine: 'モデルや上流のエンジンに障害があるとき',
    configuration: '設定ファイルが変更されたとき',
  },
  budget: (key, limit, percent, resets) =>
    `${key === null ? '組織' : `キー「${key}」`}の上限（${limit}）の${percent}%を使いました。${resets}にリセットされます。`,
  expiry: (key, when) => `キー「${key}」の有効期限は${when}です。`,
  engine: (model) => `モデル「${model}」を利用できません。このモデルへのリクエストは失敗します。`,
  upstream: (name) => `上流のエンジン「${name}」に障害が発生しています。`,
  configuration: 'サーバーの起動後に設定ファイルが変更されました。反映するにはサーバーを再起動してください。',
  showKey: 'キーを表示',
  showUpstreams: '上流のエンジンを表示',
}
