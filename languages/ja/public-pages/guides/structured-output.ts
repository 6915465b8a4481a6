import type { PublicWords } from '../../../words.ts'

export const structuredOutput: PublicWords['guides']['structuredOutput'] = {
  title: '構造化出力',
  description: 'スキーマに従うJSONで回答を受け取る方法と、回答を正規表現や選択肢に限定する方法です。',
  lead: 'プログラムでそのまま読める回答。',
  leadRest: 'スキーマは生成中に強制されます。',
  question: '日本の都市を1つ挙げてください。',
  mood: 'この感想は肯定的ですか。「とても気に入りました」',
  sections: {
    schema: {
      title: 'スキーマに従うJSON',
      text: '`response_format`にJSONスキーマを指定します。スキーマに反するトークンは選ばれないので、形を検査せずに解析できます。ただし、内容が正しいとは限りません。',
    },
    cut: {
      title: '途中で終わった回答',
      text: '`max_completion_tokens`に達した回答は途中で終わり、JSONも途中で切れます。解析する前に、`finish_reason`が`stop`であることを確かめてください。',
    },
    refused: {
      title: '強制できないスキーマ',
      text: '強制できないキーワードを含むスキーマは400で拒否し、メッセージでそのキーワードを示します。黙って条件を緩めることはありません。上流のモデルでは、強制するかどうかは上流によります。',
    },
    other: {
      title: 'そのほかの形式',
      text: '`json_object`では、任意のJSONオブジェクトが返ります。`structured_outputs`には、正規表現（`regex`）や値の一覧（`choice`）を指定できます。これは拡張なので、公式のPythonクライアントでは`extra_body`で送ります。',
    },
  },
}
