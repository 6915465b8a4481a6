import type { Words } from '../words.ts'

export const faults: Words['faults'] = {
  title: '処理できませんでした。',
  partTitle: '読み込めませんでした。',
  pageTitle: 'ページを表示できなくなりました。',
  pageText: 'サーバー側のデータは変わっていません。ページを読み込み直してください。',
  reload: '読み込み直す',
  offline: 'サーバーに接続できません。接続を確認して、もう一度お試しください。入力した内容は残っています。',
  server_fault: 'サーバーで問題が起きました。少し待って、もう一度お試しください。',
  refused: 'サーバーがこの操作を受け付けませんでした。',
  wrong_credentials: 'メールアドレスまたはパスワードが違います。',
  too_many_attempts: (after) =>
    `試行回数が上限に達しました。${after === '' ? 'しばらくして' : `${after}後に`}もう一度お試しください。`,
  weak_password_short: '短すぎます。10文字以上にしてください。',
  weak_password: '短すぎるか、よく使われるパスワードです。10文字以上の別のものにしてください。',
  invalid_email: 'メールアドレスの形式ではありません。例：name@example.com',
  email_taken: 'このメールアドレスは登録済みです。サインインしてください。',
  sign_up_closed: 'このサーバーでは新規登録を受け付けていません。管理者にお問い合わせください。',
  invitation_needed: 'このサーバーの登録は招待制です。招待のリンクを開いてください。',
  invalid_link: 'このリンクは使用済みか、期限が切れています。新しいリンクを発行してもらってください。',
  not_signed_in: 'セッションが終了しました。もう一度サインインしてください。',
  cross_site: 'このページからの操作と確認できませんでした。ページを読み込み直して、もう一度お試しください。',
  mail_not_configured: 'このサーバーはメールを送信できません。管理者にリンクを発行してもらってください。',
  confirmation_mismatch: 'キーの名前と一致しません。',
  last_owner: 'このサーバーの唯一の所有者で、ほかにも利用者がいます。先に別の所有者を決めてください。',
  seconds: (count) => `${count}秒`,
  minutes: (count) => `${count}分`,
}
