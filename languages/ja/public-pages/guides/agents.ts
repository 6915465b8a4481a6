import type { PublicWords } from '../../../words.ts'

export const agents: PublicWords['guides']['agents'] = {
  title: 'エージェント',
  description: 'コーディングエージェントやエージェント用ライブラリをこのサーバーにつなぐ方法と、モデルの選び方です。',
  lead: 'いつものエージェントを、このサーバーのモデルで。',
  leadRest: 'アドレス、キー、モデルを設定します。',
  question: '東京の天気は？',
  toolText: '都市の現在の天気',
  result: '18℃、晴れ：',
  sections: {
    context: {
      title: '先にモデルを選ぶ',
      text: 'エージェントは、リクエストのたびに長い指示を送ります。何も入力しないうちから、Claude Codeで約12,500、opencodeで8,100、Codexで6,800トークンです。コンテキストが32,768トークン以上のモデルを使ってください。helix-v1の8,192トークンでは、Claude Codeとopencodeは動かず、Codexは短い会話でしか使えません。',
    },
    claude: {
      title: 'Claude Code',
      text: '`/v1/messages`を使います。アドレスに`/v1`は付けません。',
    },
    codex: {
      title: 'Codex',
      text: '`/v1/responses`を使います。`~/.codex/config.toml`に次の内容を加えます。',
      after:
        'Codexは、Web検索などの組み込みツールを常に送ります。これらは使われず、レスポンスヘッダー`x-helix-ignored-tools`に一覧が入ります。Responses APIを持つ上流のモデルでは、運用者が`builtInTools`で許可する必要があり、許可されていないリクエストは拒否されます。',
    },
    opencode: {
      title: 'opencode',
      text: '`/v1/chat/completions`を使います。`opencode.json`に次の内容を加え、`limit`にはモデルのコンテキストを指定します。',
    },
    library: {
      title: '自作のエージェント',
      text: 'ライブラリを使うと、関数を呼び出して結果を返す処理を、回答が出るまで自動で繰り返せます。Pythonのコードには`openai-agents`パッケージが必要です。',
    },
    limits: {
      title: '専用のキーを使う',
      text: 'エージェントは、誤動作すると大量のリクエストを送ることがあります。1日あたりのトークン数や費用に上限を付けたキーを、専用に作成してください。上限に達すると429が返りますが、ほかのキーはそのまま使えます。',
    },
  },
}
