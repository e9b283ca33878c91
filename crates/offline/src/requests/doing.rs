//! Requests that leave something different: new files and folders, other names and places, archives, deletions.

use super::RequestTemplates;
use crate::clause::RequestKind;

pub(crate) const TEMPLATES: &[RequestTemplates] = &[
    RequestTemplates {
        kind: RequestKind::MakeFolder,
        name: "make_folder",
        english: &[
            "(create|make|add|set up) [me] [a|an|the] [new] [empty] (folder|directory|subfolder|subdirectory) [called|named|for] {new}[ here]",
            "(create|make|add|set up) [me] [a|an|the] [new] [empty] (folder|directory|subfolder|subdirectory) (called|named) {title}[ here]",
            "(create|make|add) [me] [a|the] [new] {new} (folder|directory)[ here]",
            "(new folder|new directory|mkdir|mkdir -p) {new}",
        ],
        chinese: &[
            "<zmake>[一个|个][新][的][空](文件夹|目录|子文件夹|子目录)[,][名字][叫做|名为|名叫|叫作|叫|为|:]{new}",
            "<zmake>[一个|个](叫做|名为|名叫|叫作|叫)[做]{new}的[新][空](文件夹|目录|子文件夹|子目录)",
            "<zmake>[一个|个]{new}(文件夹|目录)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::MakeFile,
        name: "make_file",
        english: &[
            "(create|make|write|add|start|set up|begin) [me] [a|an|the] [new] [text] file [called|named] {new} <holding> {content}",
            "(create|make|write|add|start|set up|begin) [me] [a|an|the] [new] [empty|blank] [text] file [called|named] {new}",
            "(create|make|write|start) {new} <holding> {content}",
            "(write|put|save) [the] [text|words|line] {quoted} (to|into|in|as) [a|the] [new] [text] [file] [called|named] {new}",
            "touch {new}",
        ],
        chinese: &[
            "<zmake>[一个|个|一份][新][的][文本]文件[,][名字][叫做|名为|名叫|叫|为]{new}[,|并]<zholding>{content}",
            "<zmake>[一个|个|一份][新][的][空|空白][的][文本]文件[,][名字][叫做|名为|名叫|叫|为]{new}",
            "<zmake>[一个|个|一份](叫做|名为|名叫|叫){new}的[空|空白][文本]文件",
            "<zmake>{new}[,|并]<zholding>{content}",
            "(把|将){quoted}(写入|写到|写进|保存到|存到|保存为|存为)[新][文件]{new}[里|中]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::Rename,
        name: "rename",
        english: &[
            "(rename|mv) [the] [file] {file} (to|as|into) {new}",
            "(rename) [the] (folder|directory) {place} (to|as|into) {new}",
            "(change|set) the name of [the] [file] {file} to {new}",
            "(change|set) the name of the (folder|directory) {place} to {new}",
            "give {file} the [new] name {new}",
        ],
        chinese: &[
            "(把|将){file}<zrename>{new}",
            "(把|将)[文件夹|目录]{place}<zrename>{new}",
            "(重命名|改名){file}(为|成|叫){new}",
            "{file}<zrename>{new}",
            "(给|为|替){file}<zrename>{new}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::RenameEnding,
        name: "rename_ending",
        english: &[
            "(rename|change) [all] [the|my] {what}[ <in>] to {ending}[ files]",
            "change the (ending|extension) of [all] [the|my] {what}[ <in>] to {ending}",
        ],
        chinese: &[
            "(把|将)[<zin>[的]]<zall>{what}[的](扩展名|后缀|后缀名|结尾)(改成|改为|换成|换为|变成){ending}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::RenameLowerCase,
        name: "rename_lower_case",
        english: &[
            "(rename|change|make|turn|convert) [all] [the|my] {what}[ <in>] (to|into|in) (lower case|lowercase|lower-case) [names]",
            "(make|turn|convert|change) [all] [the|my] (file names|filenames|names)[ <in>] [to|into|all] (lower case|lowercase|lower-case)",
            "(rename) [all] [the|my] files[ <in>] (to|in) (lower case|lowercase|lower-case) [names]",
        ],
        chinese: &[
            "(把|将)[<zin>[的]]<zall>(文件名|{what}名|{what}的名字|文件的名字|{what})[都|全部](改成|改为|变成|转成|换成|重命名为)小写",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::RenameUnderscores,
        name: "rename_underscores",
        english: &[
            "(replace|change|turn) [the|all] [the] spaces in [the|my] (file names|filenames|names|names of files)[ <in>] (with|by|to|into) underscores",
            "(replace|change|turn) [the|all] [the] spaces (with|by|to|into) underscores in [all] [the|my] (file names|filenames|names|names of files)[ <in>]",
            "rename [all] [the|my] files[ <in>] with underscores (instead of|for) spaces",
        ],
        chinese: &[
            "(把|将)[<zin>[的]]<zall>文件名(里的|中的|里面的|的|里|中)空格[都|全部](改成|换成|替换成|改为|替换为|变成)下划线",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::RenameReplace,
        name: "rename_replace",
        english: &[
            "(replace|change) {name} (with|by|to|into) {text} in [all] [the|my] (file names|filenames|names|names of files)[ <in>]",
            "in [all] [the|my] (file names|filenames|names) (replace|change) {name} (with|by|to|into) {text}",
        ],
        chinese: &[
            "(把|将)[<zin>[的]]<zall>文件名(里的|中的|里面的|的|里|中){name}[都|全部](改成|换成|替换成|改为|替换为|变成){text}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::Move,
        name: "move",
        english: &[
            "<move> [the] [file] {file}[ and {file2}] [over] (to|in) {new}[ folder| directory]",
            "<move> [the] [file] {file}[ and {file2}] [over] (into [the|a|my] [new] [folder|directory] [called|named]|to the (folder|directory) [called|named]|to a [new] (folder|directory) [called|named]|in the (folder|directory) [called|named]|in a [new] (folder|directory) [called|named]|inside [the|a] [new] [folder|directory] [called|named]){as_folder} {new}[ folder| directory]",
            "<move> [the] [file] {file}[ and {file2}] [over] (to|in) the {new} (folder|directory){as_folder}",
            "<move> the (folder|directory) {place} (to|into) [the] [folder|directory]{as_folder} {new}",
        ],
        chinese: &[
            "(把|将){file}[和|与|跟][{file2}]<zmove>{new}",
            "(把|将){file}[和|与|跟][{file2}]<zmove>[文件夹|目录]{new}(文件夹|目录|里|里面|中){as_folder}[里|中|下|里面]",
            "(把|将)(文件夹|目录){place}<zmove>{new}[文件夹|目录]{as_folder}[里|中|下|里面]",
            "(移动|移){file}(到|至){new}",
            "(移动|移){file}(到|至)[文件夹|目录]{new}(文件夹|目录|里|里面|中){as_folder}[里|中|下|里面]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::MoveMany,
        name: "move_many",
        english: &[
            "<move> [all|every|each] [of] [the|my] {what}[ <filter>][ <in>] [over] (to|into|in) [the|a] [new] [folder|directory] [called|named] {new}[ folder| directory]",
        ],
        chinese: &[
            "[把|将][<zin>[的]]<zall>[(<zfilter>)的]{what}[都|全部|全]<zmove>[文件夹|目录]{new}[文件夹|目录][里|中|下|里面]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::Copy,
        name: "copy",
        english: &[
            "<copy> [the] [file] {file} (to|as|in) [a] [file] [called|named] {new}",
            "<copy> [the] [file] {file} (into [the|a|my] [new] [folder|directory] [called|named]|to the (folder|directory) [called|named]|to a [new] (folder|directory) [called|named]|in the (folder|directory) [called|named]|in a [new] (folder|directory) [called|named]){as_folder} {new}[ folder| directory]",
            "<copy> [the] [file] {file} (to|in) the {new} (folder|directory){as_folder}",
            "<copy> the (folder|directory) {place} (to|as|into) {new}",
            "(make|create|take|save) a (copy|backup|backup copy|second copy) of {file}[ (in|into|to|as|called|named) {new}]",
            "(duplicate|back up|backup) {file}",
        ],
        chinese: &[
            "(复制|拷贝|备份)[一份]{file}(到|为|成|至){new}",
            "(复制|拷贝|备份)[一份]{file}(到|至)[文件夹|目录]{new}(文件夹|目录|里|里面|中){as_folder}[里|中|下|里面]",
            "[把|将]{file}(复制|拷贝|备份)(一份|一下|)[,](叫|叫做|名为|命名为|取名|取名为|名字叫){new}",
            "(把|将){file}(复制到|拷贝到|备份到|复制为|复制成|拷贝成|备份为|备份成|复制一份到|复制进|拷贝进|复制一份叫){new}",
            "(把|将){file}(复制到|拷贝到|备份到|复制一份到|复制进|拷贝进)[文件夹|目录]{new}(文件夹|目录|里|里面|中){as_folder}[里|中|下|里面]",
            "(复制|拷贝|备份)[一份|一下]{file}",
            "(把|将){file}(复制一份|备份一下|备份一份|备份)",
            "(给|为|替){file}(做|建|留|弄|创建)[一](个|份)(备份|副本|拷贝|备份文件)[,][[名字]叫做|[名字]叫作|[名字]叫|名为|取名为|命名为|取名|文件名为]{new}",
            "(给|为|替){file}(做|建|留|弄|创建)[一](个|份)(备份|副本|拷贝|备份文件)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::CopyMany,
        name: "copy_many",
        english: &[
            "<copy> [all|every|each] [of] [the|my] {what}[ <filter>][ <in>] (to|into|in) [the|a] [new] [folder|directory] [called|named] {new}[ folder| directory]",
        ],
        chinese: &[
            "[把|将][<zin>[的]]<zall>[(<zfilter>)的]{what}[都|全部|全](复制到|拷贝到|备份到|复制进|拷贝进)[文件夹|目录]{new}[文件夹|目录][里|中|下|里面]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::Delete,
        name: "delete",
        english: &[
            "<delete> [the] [file] {file}[ and {file2}]",
            "<delete> the (folder|directory) {place}",
            "<delete> [the] {place} (folder|directory)",
            "(move|put|throw) {file} (to|in|into) the (trash|bin|recycle bin)",
        ],
        chinese: &[
            "<zdelete>[掉|文件]{file}[和|与|跟][{file2}]",
            "<zdelete>[掉](文件夹|目录){place}",
            "<zdelete>[掉]{place}[这个|整个|那个](文件夹|目录)",
            "(把|将){file}[和|与|跟][{file2}](<zdelete>|删)[掉|了]",
            "{file}(不要了|用不着了|没用了|不需要了|没有用了)[,](<zdelete>|删)[掉|了][吧]",
            "(把|将)(文件夹|目录){place}(<zdelete>|删)[掉|了]",
            "(把|将){file}(扔进|移到|放进|丢进|移入)(回收站|废纸篓|垃圾桶|垃圾箱)",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::DeleteMany,
        name: "delete_many",
        english: &["<delete> [all|every|each] [of] [the|my] {what}[ <filter>][ <in>]"],
        chinese: &[
            "<zdelete>[掉][<zin>[的]]<zall>[(<zfilter>)的]{what}",
            "(把|将)[<zin>[的]]<zall>[(<zfilter>)的]{what}[都|全部|全](<zdelete>|删)[掉|了]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::Unpack,
        name: "unpack",
        english: &[
            "<unpack> [the] [archive|file|zip|zip file] {file}",
            "<unpack> [the] [archive|file|zip|zip file] {file} (to|into|in) [the|a] [new] [folder|directory] [called|named] {new}[ folder| directory]",
            "extract [all] [the] [files|contents|content|everything] (from|of|in) {file}[ (to|into) [the|a] [new] [folder|directory] [called|named] {new}]",
        ],
        chinese: &[
            "<zunpack>[文件|压缩包]{file}[到(文件夹|目录|){new}[文件夹|目录][里|中]]",
            "(把|将)[压缩包]{file}<zunpack>[到(文件夹|目录|){new}[文件夹|目录][里|中]]",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::PackZip,
        name: "pack_zip",
        english: &[
            "(zip|zip up|compress) [the] [file] {file}[ (to|into|as) [a] [zip] [file] [archive] [called|named] {new}]",
            "(zip|zip up|compress) [the] (folder|directory) {place}[ (to|into|as) [a] [zip] [file] [archive] [called|named] {new}]",
            "(zip|zip up|compress) [the] {place} (folder|directory)[ (to|into|as) [a] [zip] [file] [archive] [called|named] {new}]",
            "(zip|zip up|compress|pack) [up] [the] [folder|directory|file] ({file}|{place})[ folder| directory] (to|into|as) [a|an|one] zip[ file| archive]",
            "(make|create) [me] a (zip|zip file|zip archive) (of|from|with) [the] [folder|directory|file] ({file}|{place})[ (called|named|as) {new}]",
        ],
        chinese: &[
            "压缩[一下][文件]{file}[(为|成|到){new}]",
            "压缩[一下](文件夹|目录){place}[(为|成|到){new}]",
            "(把|将){file}(压缩|压缩一下|打包成zip|压缩成zip)",
            "(把|将)(文件夹|目录){place}(压缩|压缩一下|打包成zip|压缩成zip)",
            "(把|将){place}(文件夹|目录)(压缩|压缩一下|打包成zip|压缩成zip)",
            "(把|将)[文件夹|目录]({file}|{place})[这个|整个][文件夹|目录](压缩成|压缩为|压缩|打包成|打包为|打成|压成|压为|做成|打|弄成)[一个|个]zip[文件|包|压缩包|格式|格式的文件]",
            "(把|将)[文件夹|目录]({file}|{place})[文件夹|目录](压缩成|压缩为|压缩到|打包成|打包为|打包到){new}",
        ],
        example: None,
    },
    RequestTemplates {
        kind: RequestKind::PackTar,
        name: "pack_tar",
        english: &[
            "(pack|tar|bundle|archive) [up] [the] [file] {file}[ (to|into|as) [an|a] [archive] [called|named] {new}]",
            "(pack|tar|bundle|archive) [up] [the] (folder|directory) {place}[ (to|into|as) [an|a] [archive] [called|named] {new}]",
            "(pack|tar|bundle|archive) [up] [the] {place} (folder|directory)[ (to|into|as) [an|a] [archive] [called|named] {new}]",
        ],
        chinese: &[
            "打包[一下][文件]{file}",
            "打包[一下](文件夹|目录){place}",
            "打包[一下]{place}(文件夹|目录)",
            "(把|将)(文件夹|目录){place}(打包|打个包|打包一下)",
            "(把|将){place}(文件夹|目录)(打包|打个包|打包一下)",
        ],
        example: None,
    },
];
