import type { Words } from '../../words.ts'

export const history: Words['history'] = {
  title: '履歴',
  listTitle: '会話',
  none: '会話はまだありません。回答のあった会話はここに保存されます。',
  notLoaded: '履歴を読み込めませんでした。',
  kept: (days) => `本人だけに表示されます。最後の変更から${days}日後に削除されます。`,
  keptPinned: (days) => `本人だけに表示されます。最後の変更から${days}日後に削除されます。ピン留めした会話は残ります。`,
  search: 'タイトルと本文を検索',
  noneFound: '該当する会話はありません。',
  pinned: 'ピン留め',
  shared: (count) => `リンク${count}件`,
  isOpen: '表示中',
  startNew: '新しい会話',
  deleteQuestion: (title) => `「${title}」と、その共有リンクを削除しますか？元に戻すことはできません。`,
  notChanged: '会話を変更できませんでした。',
  states: {
    failed: '履歴に保存できません。再試行しています…',
    full: '履歴がいっぱいのため、この会話は下書きとしてのみ保存されます',
  },
  share: {
    title: 'この会話を共有',
    text: 'リンクを開くと、現在表示している内容を組織のメンバーが閲覧できます。以降のメッセージは含まれません。',
    create: 'リンクを作成',
    link: 'リンク',
    createdAt: (when) => `作成：${when}`,
    revoke: 'リンクを取り消す',
    notCreated: 'リンクを作成できませんでした。',
  },
  sharedPage: {
    title: '共有された会話',
    about: (who, when) => `${who}が共有（${when}）・閲覧のみ`,
    continue: '自分の会話として続ける',
    notFound: 'このリンクは使えません。取り消されたか、会話が削除されたか、別の組織のものです。',
  },
  unsaved: {
    title: 'プレイグラウンドに保存されていない内容があります。',
    text: 'このままサインアウトすると失われます。',
    anyway: '保存せずにサインアウト',
    switchText: 'このまま別の組織に切り替えると失われます。',
    switchAnyway: '保存せずに切り替える',
  },
}
