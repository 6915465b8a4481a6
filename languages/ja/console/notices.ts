import type { Words } from '../../words.ts'

export const notices: Words['notices'] = {
  title: 'お知らせ',
  text: '各ページの上に表示します。設定はすべての端末に反映されます。',
  dismiss: 'このお知らせを閉じる',
  more: (count) => `ほか${count}件`,
  fewer: '折りたたむ',
  dismissed: 'お知らせを閉じました',
  notSaved: '変更を保存できませんでした。もう一度お試しください。',
  kinds: {
    budget: '上限の80%以上を使ったとき',
    expiry: 'キーの有効期限が7日以内に切れるとき',
    engine: 'モデルや上流に障害があるとき',
    configuration: '設定ファイルが変更されたとき',
  },
  budget: (key, limit, percent, resets) =>
    `${key === null ? '組織' : `キー「${key}」`}の上限（${limit}）の${percent}%を使いました。${resets}にリセットされます。`,
  overBudget: (key, limit, used, max, resets) =>
    `${key === null ? '組織' : `キー「${key}」`}の上限（${limit}）${max}に対し、${used}を使いました。${resets}にリセットされます。`,
  expiry: (key, when) => `キー「${key}」の有効期限は${when}です。`,
  engine: (model) => `モデル「${model}」を利用できません。このモデルへのリクエストは失敗します。`,
  upstream: (name) => `上流「${name}」に問題があります。`,
  configuration: 'サーバーの起動後に設定ファイルが変更されました。反映するにはサーバーを再起動してください。',
  showKey: 'キーを表示',
  showUpstreams: '上流を表示',
}

export const firstDay: Words['firstDay'] = {
  title: 'サーバーの初期設定',
  progress: (done, total) => `${total}件中${done}件が完了`,
  hide: '表示しない',
  hidden: '初期設定を非表示にしました。「サーバー」ページでいつでも確認できます。',
  done: '完了：',
  open: '未完了：',
  https: 'サイトをHTTPSで公開する。',
  twoFactor: '2段階認証またはパスキーでアカウントを保護する。',
  limits: '新しい組織に使用量の上限を設けるか、新規登録を制限する。',
  mail: 'パスワードを再設定できるように、メールを設定する。',
  invited: 'ほかの人を招待する。',
  backUp: 'データをバックアップする。',
  backedUp: (when) => `データをバックアップする。前回のバックアップ：${when}`,
  postgres: 'データはPostgreSQLにあります。PostgreSQLのツールでバックアップしてください。例：',
  model: '付属の小さなモデルより高性能なモデルを追加する。',
  explains: {
    https: 'パスワードとキーがネットワークを通ります。起動時に証明書と秘密鍵を指定するか、プロキシを使ってください。',
    twoFactor: 'サーバー全体を変更できるアカウントです。パスワードが漏れても守られるようにします。',
    limits: '設定しないと、登録した人がモデルを無制限に使えます。',
    mail: 'メールサーバーのアドレスを、サーバーのページか、起動時のHELIX_SMTP_URLで指定します。未設定の場合、再設定用リンクは手動で発行します。',
    invited: 'メンバーは組織のキー、使用量、リクエストログを共有します。',
    backedUpAt: 'サーバーを動かしたまま、キー、アカウント、使用量をファイルに書き出します。',
    model: 'GGUFファイルまたは推論エンジンを追加できます。付属のモデルは試用向けです。',
  },
  toSettings: '設定を開く',
  toOrganisations: '組織の一覧を開く',
  toTeam: '招待する',
  toServer: 'サーバーのページを開く',
  toModels: 'モデルの一覧を開く',
}
