import type { Words } from '../words.ts'

export const firstDay: Words['firstDay'] = {
  title: 'サーバーの初期設定',
  progress: (done, total) => `${total}件中${done}件が完了`,
  hide: '表示しない',
  done: '完了：',
  open: '未完了：',
  https: 'サイトをHTTPSで公開する。',
  twoFactor: '2段階認証またはパスキーでアカウントを保護する。',
  limits: '新しい組織に使用量の上限を設けるか、新規登録を制限する。',
  mail: 'パスワードを再設定できるように、メールを設定する。',
  invited: 'ほかの人を招待する。',
  backUp: 'データをバックアップする。',
  backedUp: (when) => `データをバックアップする。前回のバックアップ：${when}`,
  model: '付属の小さなモデルより高性能なモデルを追加する。',
  toSettings: '設定を開く',
  toOrganisations: '組織の一覧を開く',
  toTeam: '招待する',
  toModels: 'モデルの一覧を開く',
}
